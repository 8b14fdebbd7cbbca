"""Words and sentences, the same for whatever reads them: the analyzer, languages, dates, sentences."""
