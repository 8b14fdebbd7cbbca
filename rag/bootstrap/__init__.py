"""The one place of the engine that knows which class stands behind which port."""
