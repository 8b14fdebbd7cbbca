"""Office files of before 2007, by way of LibreOffice."""
