"""Pages and notebook output: HTML of paths, results and other values."""
