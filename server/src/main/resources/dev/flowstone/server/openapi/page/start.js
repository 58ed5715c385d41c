"use strict";

// Nothing is fetched from elsewhere: no validator, no fonts.
SwaggerUIBundle({
  url: "openapi.json",
  dom_id: "#api",
  deepLinking: true,
  docExpansion: "list",
  filter: true,
  validatorUrl: null,
});
