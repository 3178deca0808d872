"""Pages and notebook faces: HTML of paths, results and whatever else is looked at."""
