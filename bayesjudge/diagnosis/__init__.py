"""What data and fits can tell, in words."""
