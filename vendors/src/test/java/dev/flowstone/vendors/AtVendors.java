package dev.flowstone.vendors;

import dev.flowstone.engine.task.TaskResult;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A node with the three connectors, each with a stand-in of its vendor. */
abstract class AtVendors {
    Rig rig;

    /** Only {@link #open} fills the field. */
    @SuppressWarnings("NullAway.Init")
    AtVendors() {}

    @BeforeEach
    void open() throws Exception {
        rig = new Rig();
    }

    @AfterEach
    void close() {
        rig.close();
    }

    TaskResult slack(String action, String parameters) throws Exception {
        return rig.run("slack." + action, parameters);
    }

    TaskResult monday(String action, String parameters) throws Exception {
        return rig.run("monday." + action, parameters);
    }

    TaskResult confluence(String action, String parameters) throws Exception {
        return rig.run("confluence." + action, parameters);
    }
}
