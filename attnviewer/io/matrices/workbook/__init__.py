"""Reading of workbooks without running anything in them."""
