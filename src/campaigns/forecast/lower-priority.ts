import { constants, setPriority } from 'node:os';

// A forecast computes for seconds. On a machine whose cores are busy, the requests of other teams go first, but the
// forecast still gets a tenth of a core. On Linux the priority is that of this thread; elsewhere it would be that of
// the whole process.
if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
