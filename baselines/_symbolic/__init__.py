"""What the approaches `rules` and `rules+weights` share."""
