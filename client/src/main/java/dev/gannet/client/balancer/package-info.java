/**
 * Load balancing: from endpoints to the connection of each call. Applications and libraries can
 * plug in their own policies.
 *
 * <p>Does not belong here: how connections are made, and what calls do on them.
 */
@NullMarked
package dev.gannet.client.balancer;

import org.jspecify.annotations.NullMarked;
