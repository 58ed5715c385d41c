package dev.flowstone.server.api.doc;

import dev.flowstone.server.http.Area;
import dev.flowstone.server.http.Doc;
import dev.flowstone.server.http.ProblemCode;

/** Of the installation, and of the API itself. */
public final class SystemDocs {
    public static final Doc INDEX = Doc.of("listRoutes", Area.SYSTEM, "Lists every route with its scope")
            .answers(200, "Index", "All of them.");

    public static final Doc DOCUMENT = Doc.of("getOpenApi", Area.SYSTEM, "Tells what every route takes and answers")
            .answers(200, "OpenApiDocument", "This document.")
            .tagged(Doc.Version.CONTENT);

    public static final Doc LIVE =
            Doc.of("isLive", Area.SYSTEM, "Tells that the process lives").answers(200, "Live", "It does.");

    public static final Doc READY = Doc.of("isReady", Area.SYSTEM, "Tells whether the node takes commands")
            .answers(200, "Ready", "It does.")
            .refusesAs(ProblemCode.UNAVAILABLE, "NotReady");

    public static final Doc HEALTH = Doc.of("getHealth", Area.SYSTEM, "Tells how the node and its database fare")
            .answers(200, "Health", "Item by item.");

    public static final Doc METRICS = Doc.of("getMetrics", Area.SYSTEM, "Tells what is counted, for Prometheus")
            .answersText("text/plain", "In Prometheus' own form.")
            .answersText("application/openmetrics-text", "As OpenMetrics, if it is asked for.");

    public static final Doc SKEW = Doc.of("getSkew", Area.SYSTEM, "Tells what of the node is out of step")
            .answers(200, "SkewReport", "By kind, and by shard.");

    public static final Doc CLUSTER = Doc.of("getCluster", Area.SYSTEM, "Tells which nodes there are, and their shards")
            .answers(200, "Cluster", "As the database says.");

    private SystemDocs() {}
}
