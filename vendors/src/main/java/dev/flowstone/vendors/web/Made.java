package dev.flowstone.vendors.web;

import static java.util.Objects.requireNonNull;

import dev.flowstone.action.ActionContext;
import dev.flowstone.action.FoundLink;
import dev.flowstone.action.ResourceLink;
import java.util.Optional;

/**
 * By which a thing that an action makes is known before its vendor has given it an id: a reference of the workflow's own, which holds for
 * all executions of a tenant, or else the visit of a node, which holds for all its attempts.
 *
 * @param key of the link, in its tenant
 * @param marker what is written into the thing itself, where other tenants may write, too
 */
public record Made(String system, String type, String key, String marker) {
    public Made {
        requireNonNull(system);
    }

    public static Made by(ActionContext context, String system, String type, Optional<String> reference) {
        return new Made(
                system,
                type,
                reference.orElseGet(context::idempotencyKey),
                reference.map(own -> context.tenantId() + "/" + own).orElseGet(context::idempotencyKey));
    }

    /** What is linked under it already. */
    public Optional<ResourceLink> find(ActionContext context) {
        return context.findLink(system, type, key).map(FoundLink::link);
    }

    /** The link to it. */
    public ResourceLink link(String id, Optional<String> url) {
        return new ResourceLink(system, type, id, key, url);
    }
}
