/** The contracts of Gannet: what generated code, interceptors and libraries are written against. */
module dev.gannet.api {
  requires static org.jspecify;

  exports dev.gannet.api;
  exports dev.gannet.api.stub;
}
