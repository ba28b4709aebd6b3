/** Services for operators: health, reflection, channelz, load reports, and binary logs. */
@SuppressWarnings({
  "requires-automatic",
  "requires-transitive-automatic"
}) // protobuf-java has no descriptor
module dev.gannet.services {
  requires transitive com.google.protobuf;
  requires transitive dev.gannet.api;
  requires transitive dev.gannet.client;
  requires transitive dev.gannet.protobuf;
  requires transitive dev.gannet.server;
  requires static org.jspecify;

  exports dev.gannet.services;
  exports dev.gannet.services.binarylog.v1;
  exports dev.gannet.services.channelz.v1;
  exports dev.gannet.services.health.v1;
  exports dev.gannet.services.orca.v3;
  exports dev.gannet.services.reflection.v1;
  exports dev.gannet.services.reflection.v1alpha;
}
