/** Where a rule of insecure code found something. */
export interface InsecureCode {
  rule: string;
  line: number;
  severity: 'low' | 'medium' | 'high' | 'critical';
}
