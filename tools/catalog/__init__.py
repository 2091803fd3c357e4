"""Makes the catalog's JSON from the CSVs of assets/csv, and checks it."""
