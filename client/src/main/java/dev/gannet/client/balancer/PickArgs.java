package dev.gannet.client.balancer;

import dev.gannet.api.CallOptions;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;

/** What a picker may look at: the call that an attempt belongs to. */
public interface PickArgs {
  MethodDescriptor<?, ?> method();

  CallOptions options();

  /** What the call sends with its request; not to be changed. */
  Metadata headers();
}
