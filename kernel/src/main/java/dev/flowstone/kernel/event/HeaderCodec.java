package dev.flowstone.kernel.event;

import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.json.JsonCursor;

/** The stored form of a header, with short names: it is hashed with every event of its decision. */
final class HeaderCodec {
    private HeaderCodec() {}

    static void write(FrameOutput out, EventHeader header) {
        out.open();
        out.name("actor").string(header.actor().toString());
        header.authorization().ifPresent(reference -> out.name("auth").string(reference));
        header.causation().ifPresent(cause -> out.name("cause").string(cause));
        out.name("corr").string(header.correlation());
        header.effectiveTime().ifPresent(time -> out.name("effective").time(time));
        header.idempotencyKey().ifPresent(key -> out.name("key").string(key));
        out.name("run").string(header.run().toString());
        out.name("seq").number(header.firstSequence());
        out.name("tenant").string(header.tenant().value());
        out.name("time").time(header.eventTime());
        out.name("v").number(header.schemaVersion());
        out.name("version").number(header.typeVersion());
        out.name("workflow").string(header.workflow().value());
        out.close();
    }

    static EventHeader read(JsonCursor at) {
        int schema = at.intValue("v");
        if (schema != EventHeader.SCHEMA) {
            throw UnknownFormException.at(at, "header", schema);
        }
        return new EventHeader(
                schema,
                at.as("tenant", TenantId::new),
                at.as("workflow", WorkflowId::new),
                at.intValue("version"),
                at.as("run", RunId::parse),
                at.longValue("seq"),
                at.as("time", Times::read),
                at.find("effective").map(time -> time.as(Times::read)),
                at.as("actor", Actor::parse),
                at.find("auth").map(JsonCursor::string),
                at.find("key").map(JsonCursor::string),
                at.find("cause").map(JsonCursor::string),
                at.string("corr"));
    }
}
