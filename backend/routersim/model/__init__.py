"""What a network element is: one model, from which every table, notification and command's answer is computed."""
