package dev.flowstone.engine.read;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.kernel.id.TenantId;
import java.util.List;
import java.util.Optional;

/** Reads what people are asked, as one tenant, under row-level security; every answer is bounded. */
@FunctionalInterface
public interface HumanTaskReader {
    /** Open human tasks, the oldest first, after a place, at most a page. */
    List<OpenTask> tasks(TenantId tenant, HumanTaskFilter filter, Optional<HumanTaskPlace> after, int limit)
            throws JournalException;
}
