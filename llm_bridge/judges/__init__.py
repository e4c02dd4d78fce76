"""Who grades open answers, one judge a file."""
