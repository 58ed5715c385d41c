/**
 * Connectors for others' services, on the SPI of actions like anybody's, found by {@link java.util.ServiceLoader}.
 *
 * <pre>
 *   slack      monday      confluence       what each service says and wants
 *      └──────────┼────────────┘
 *                web                        one call: token, headers, deadline, bounds, class of failure
 *                 │
 *   OutboundClient of the node              where requests may go
 * </pre>
 *
 * <p>Whatever makes something looks first whether it is there: by a link of Flowstone's, then by what it has written into the thing itself.
 */
@NullMarked
package dev.flowstone.vendors;

import org.jspecify.annotations.NullMarked;
