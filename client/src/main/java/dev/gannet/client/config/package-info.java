/**
 * The service config of a channel as typed values (gRFC A2, A6): what applies to which methods. No
 * JSON here: module {@code gannet-service-config} reads it.
 */
@NullMarked
package dev.gannet.client.config;

import org.jspecify.annotations.NullMarked;
