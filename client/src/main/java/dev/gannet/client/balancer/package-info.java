/**
 * Load balancing: from endpoints to the connection of each call. Applications and libraries can
 * plug in their own policies. What is public is for them; the rest is the built-in policies, which
 * are here because {@code LoadBalancerProvider} makes them: in another package, each of the two
 * would import the other.
 *
 * <p>Does not belong here: how connections are made, and what calls do on them.
 */
@NullMarked
package dev.gannet.client.balancer;

import org.jspecify.annotations.NullMarked;
