"""What a summary can say, one block a file; `--blocks` chooses and orders them."""
