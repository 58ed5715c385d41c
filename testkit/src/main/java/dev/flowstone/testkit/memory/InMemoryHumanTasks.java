package dev.flowstone.testkit.memory;

import dev.flowstone.engine.read.HumanTaskFilter;
import dev.flowstone.engine.read.HumanTaskPlace;
import dev.flowstone.engine.read.HumanTaskReader;
import dev.flowstone.engine.read.OpenTask;
import dev.flowstone.kernel.id.TenantId;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Reads the human tasks in memory as one tenant. */
final class InMemoryHumanTasks implements HumanTaskReader {
    private final InMemoryDatabase database;

    InMemoryHumanTasks(InMemoryDatabase database) {
        this.database = database;
    }

    @Override
    public List<OpenTask> tasks(TenantId tenant, HumanTaskFilter filter, Optional<HumanTaskPlace> after, int limit) {
        synchronized (database) {
            return database.humanTasks.entrySet().stream()
                    .filter(run -> run.getKey().tenant().equals(tenant))
                    .flatMap(run -> run.getValue().values().stream()
                            .map(task -> new OpenTask(
                                    run.getKey(),
                                    InMemoryDatabase.<RunRecord>table(database.runs, run.getKey()).workflow,
                                    task)))
                    .filter(filter::admits)
                    .filter(open -> after.map(place -> open.place().compareTo(place) > 0)
                            .orElse(true))
                    .sorted(Comparator.comparing(OpenTask::place))
                    .limit(limit)
                    .toList();
        }
    }
}
