-- A report may be a ZIP of one CSV file a section.
ALTER TABLE report
  DROP CONSTRAINT report_format_check,
  ADD CONSTRAINT report_format_check CHECK (format IN ('json', 'csv', 'csv_zip', 'markdown'));
