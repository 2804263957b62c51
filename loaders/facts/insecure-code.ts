/** Where a rule of insecure code found something. */
export interface InsecureCode {
  rule: string;
  line: number;
  /** The lines over which data comes to it, from a request or a parameter to this one. */
  steps?: readonly number[];
  /** Likewise where it comes over several files: each place, from the request on. */
  way?: readonly Place[];
  severity: 'low' | 'medium' | 'high' | 'critical';
}

/** A line of a file. */
export interface Place {
  path: string;
  line: number;
}

/** Whether it is code that is hidden in what it is decoded from. */
export const isHidden = ({ rule }: Pick<InsecureCode, 'rule'>): boolean => rule.endsWith('_hidden_code');
