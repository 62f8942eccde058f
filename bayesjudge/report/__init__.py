"""Tables, plots and files of fits, whatever the method that made them."""
