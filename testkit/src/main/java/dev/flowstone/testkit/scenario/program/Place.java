package dev.flowstone.testkit.scenario.program;

import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.id.ScopeId;
import dev.flowstone.kernel.program.Origin;
import dev.flowstone.kernel.program.Routing;

/** What every node has. */
record Place(NodeId id, ScopeId scope, Routing routing, boolean mayEnd, Origin origin) {}
