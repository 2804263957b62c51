import { onSmallDisk } from '../support/small-disk.ts';
import { losesNothingWhenFull } from '../support/full-disk.ts';

describe('a full disk', () => {
  onSmallDisk(200, (disk) => losesNothingWhenFull(disk, 20));
});
