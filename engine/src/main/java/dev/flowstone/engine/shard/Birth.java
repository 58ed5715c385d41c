package dev.flowstone.engine.shard;

import dev.flowstone.kernel.aggregate.Aggregates;
import dev.flowstone.kernel.command.Command;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.message.Message;
import java.util.Optional;

/** The program of a run that a command may begin. */
record Birth(WorkflowId workflow, Sha256 program) {
    /** Empty for what only ever concerns a run that exists. */
    static Optional<Birth> of(Work work) {
        return switch (work) {
            case StartWork start -> Optional.of(new Birth(start.request.workflow(), start.request.program()));
            case CommandWork command -> of(command.command);
        };
    }

    private static Optional<Birth> of(Command command) {
        if (command instanceof Command.SendSignal) {
            return Optional.of(of(Aggregates.Kind.CHANNEL));
        }
        if (!(command instanceof Command.Deliver deliver)) {
            return Optional.empty();
        }
        if (deliver.message() instanceof Message.StartChild start) {
            return Optional.of(new Birth(start.workflow(), start.program()));
        }
        return Aggregates.receiver(deliver.message()).map(Birth::of);
    }

    private static Birth of(Aggregates.Kind kind) {
        return new Birth(kind.program().workflow(), kind.hash());
    }
}
