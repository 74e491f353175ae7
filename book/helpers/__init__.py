"""What only pages call: data makers, the text model, and claims about trained numbers."""
