"""What a person does with a real model: its bars, commands and questions."""
