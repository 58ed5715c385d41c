/**
 * What operators set for whole scopes: the system, a tenant, a workflow (R25). Every change is a row that stays; each node
 * knows them all, and a run records those that concern it when it is next touched.
 */
@NullMarked
package dev.flowstone.engine.control;

import org.jspecify.annotations.NullMarked;
