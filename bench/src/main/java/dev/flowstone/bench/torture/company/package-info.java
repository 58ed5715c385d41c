/**
 * Three server processes that share one real PostgreSQL, each through a proxy of its own, and what can be done to them. Everything
 * that is started here is known by its process id, and ended when the company is closed.
 */
@NullMarked
package dev.flowstone.bench.torture.company;

import org.jspecify.annotations.NullMarked;
