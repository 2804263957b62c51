/** Where a rule of insecure code found something. */
export interface InsecureCode {
  rule: string;
  line: number;
  /** The lines over which data comes to it, from a request or a parameter to this one. */
  steps?: readonly number[];
  severity: 'low' | 'medium' | 'high' | 'critical';
}
