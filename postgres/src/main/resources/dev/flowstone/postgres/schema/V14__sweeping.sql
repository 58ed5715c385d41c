-- What the engine may remove: receipts whose life is over, snapshots of runs that have ended, and the oldest rows of the feed.
-- Sweeping walks the tables by their blocks, so that no index is kept for it. What was promised for ever (entries, consumed
-- messages) it may not touch.

SET LOCAL ROLE ${owner};

GRANT DELETE ON flowstone.receipts, flowstone.snapshots, flowstone.feed TO ${engine};

-- Rows come and go at the same rate, so that their room is needed again soon.
ALTER TABLE flowstone.receipts SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
ALTER TABLE flowstone.snapshots SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
ALTER TABLE flowstone.feed SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);

RESET ROLE;
