-- Nothing yet: holds the place of a migration that another branch has.
SELECT 1;
