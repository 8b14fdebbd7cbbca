"""What the formats of Office have in common: packages of XML, drawings, passwords."""
