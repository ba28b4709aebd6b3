/**
 * Reads gRPC's service config from JSON (the mapping of {@code grpc.service_config.ServiceConfig})
 * into the values of {@code dev.gannet.client.config}. No JSON anywhere else in the client.
 */
@NullMarked
package dev.gannet.serviceconfig;

import org.jspecify.annotations.NullMarked;
