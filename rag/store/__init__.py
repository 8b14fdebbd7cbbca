"""Where embedded chunks and the ledger of documents are kept, in generations."""
