"""`rewrite play`: a local web page on which a puzzle is played and explored."""
