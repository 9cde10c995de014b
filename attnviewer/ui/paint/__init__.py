"""How things are painted: theme, fonts, colours, small pictures, formulas."""
