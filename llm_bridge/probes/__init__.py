"""What is measured of a model itself before its answers are believed, one probe a file."""
