-- What the engine may remove: receipts whose life is over, snapshots of runs that have ended, and the oldest rows of the feed.
-- Sweeping walks the tables by their blocks, so that no index is kept for it. What was promised for ever (entries, consumed
-- messages) it may not touch.

SET LOCAL ROLE ${owner};

GRANT DELETE ON flowstone.receipts, flowstone.snapshots, flowstone.feed TO ${engine};

RESET ROLE;
