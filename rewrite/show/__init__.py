"""States and paths as people see them: pictures, drawings, pages."""
