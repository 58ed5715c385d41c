package dev.flowstone.dialect.states.lint;

import dev.flowstone.dialect.fault.Faults;
import dev.flowstone.dialect.fault.Quoted;
import dev.flowstone.dialect.states.fault.Lint;
import dev.flowstone.dialect.states.model.At;
import dev.flowstone.dialect.states.model.Source;

/** Policies that nobody has published: asking them denies. */
final class BundleLint {
    private final Source source;
    private final Bundles bundles;
    private final Faults faults;

    BundleLint(Source source, Bundles bundles, Faults faults) {
        this.source = source;
        this.bundles = bundles;
        this.faults = faults;
    }

    void run() {
        for (At policy : source.workflow().named("policies").values()) {
            policy.text("bundle")
                    .filter(bundles::lack)
                    .ifPresent(bundle -> faults.add(
                            Lint.UNKNOWN_BUNDLE,
                            policy.pointer("bundle"),
                            "no policy " + Quoted.text(bundle)
                                    + " is published, and what is asked of one that is missing" + " is denied",
                            "publish it (PUT /api/v1/policies/" + Quoted.cut(bundle, 100)
                                    + ") before the first run, or name one that is"));
        }
    }
}
