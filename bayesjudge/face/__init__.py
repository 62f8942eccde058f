"""What the commands do: reading, fitting, showing and writing, for `bayesjudge.cli`."""
