"""What people tell an agent in their own turns: carved, cut into clauses, and read by small tables of frames."""
