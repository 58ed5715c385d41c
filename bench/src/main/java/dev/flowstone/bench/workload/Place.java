package dev.flowstone.bench.workload;

import dev.flowstone.bench.load.InTurns;
import dev.flowstone.bench.load.LoadMeter;
import dev.flowstone.bench.load.RunStarts;
import dev.flowstone.bench.load.Watch;
import dev.flowstone.bench.rig.NoOps;
import dev.flowstone.bench.rig.Rig;
import dev.flowstone.engine.Engine;
import dev.flowstone.engine.start.StartRequest;

/** One of the databases between which is compared, and a sequence that may be started there. */
record Place(Rig rig, NoOps handlers, LoadMeter meter, StartRequest sequence) {
    static Place in(Rig rig) throws Exception {
        return new Place(rig, new NoOps(), new LoadMeter(), rig.publish(Definitions.sequence()));
    }

    Engine start() throws InterruptedException {
        return rig.start(handlers.registry(), meter);
    }

    /** The sequence there, to be measured in turns with another place's. */
    InTurns.Side side(String name, Engine engine, Bench bench) {
        Watch watch = new Watch(meter, handlers::calls, "steps", rig.ports().clock(), bench.progress());
        return new InTurns.Side(name, watch, new RunStarts(engine, meter, () -> sequence));
    }
}
