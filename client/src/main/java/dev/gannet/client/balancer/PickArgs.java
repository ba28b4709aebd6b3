package dev.gannet.client.balancer;

import dev.gannet.api.CallOptions;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;

/**
 * The input of a picker: the call of an attempt. Only implemented by Gannet; methods may be added.
 */
public interface PickArgs {
  MethodDescriptor<?, ?> method();

  CallOptions options();

  /** The headers of the call; not to be changed. */
  Metadata headers();
}
