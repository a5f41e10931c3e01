echo @SERVER@
